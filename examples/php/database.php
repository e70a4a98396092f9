<?php

/** Checkouts, orders and webhooks in SQLite. Several machines need a database server instead. */

declare(strict_types=1);

const DAY = 86_400;
const TABLES = <<<'SQL'
    create table if not exists checkouts (reference text primary key, user text, params text, at integer);
    create table if not exists deliveries (reference text primary key, order_id text, body text);
    create table if not exists reviews (order_id text, reason text, reference text, primary key (order_id, reason));
    create table if not exists webhooks (digest text primary key, at integer);
    create table if not exists readings (id integer primary key, until integer);
    SQL;

function database(): PDO
{
    static $db = null;
    if ($db === null) {
        $db = new PDO('sqlite:' . (getenv('RAMP_DATABASE') ?: __DIR__ . '/ramp.sqlite'));
        $db->setAttribute(PDO::ATTR_TIMEOUT, 15);
        $db->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, PDO::FETCH_ASSOC);
        $db->exec(TABLES);
    }
    return $db;
}

function query(string $sql, mixed ...$values): PDOStatement
{
    $statement = database()->prepare($sql);
    $statement->execute($values);
    return $statement;
}

/** Commits at the end, or rolls back if the work fails. */
function inTransaction(callable $work): void
{
    database()->exec('begin immediate');
    try {
        $work();
        database()->exec('commit');
    } catch (Throwable $error) {
        database()->exec('rollback');
        throw $error;
    }
}
