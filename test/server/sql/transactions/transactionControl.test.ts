import { expect, it } from 'vitest';
import { hasTransactionControl } from '../../../../src/server/sql/transactions/transactionControl.js';

it.each([
  'begin',
  'BEGIN IMMEDIATE',
  'start  transaction read only',
  'commit',
  'Commit Work',
  'end',
  'abort',
  'rollback',
  'rollback work',
  'rollback transaction and chain',
  "prepare transaction 'a'",
  '  -- once more\n/* from\nthe start */ rollback;',
  "insert into notes values ('it''s; fine'); rollback",
  'select 1; commit; select 2',
  "select $$ ' $$; commit",
])('hasTransactionControl finds it in %j', (text) => {
  expect(hasTransactionControl(text)).toBe(true);
});

it.each([
  'select 1',
  'insert into notes values (1) on conflict do nothing',
  'savepoint a',
  'rollback to a',
  'rollback to savepoint a',
  'ROLLBACK WORK TO SAVEPOINT a',
  'rollback transaction to a',
  'release savepoint a',
  "insert into notes values ('; rollback')",
  'select ";commit" from notes',
  "update notes set text = $tag$; commit$tag$ where id = 1; select 'x'",
  'select 1 -- ; rollback',
  'update ends set committed = true; update ends set beginning = 1',
  'create trigger guard before insert on notes begin update notes set n = 1; end',
  'create function f() returns int begin atomic select 1; end',
  "insert or rollback into notes values ('a')",
])('hasTransactionControl finds none in %j', (text) => {
  expect(hasTransactionControl(text)).toBe(false);
});
