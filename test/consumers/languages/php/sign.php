<?php

// Runs tasks from standard input with the signatures of the example, and prints their results. The first argument is
// the directory of the example.

declare(strict_types=1);

require $argv[1] . '/signing.php';

function run(array $task): array
{
    switch ($task['do']) {
        case 'sign':
            return signWidget($task['params'], $task['partnerId'], $task['secretKey']);
        case 'headers':
            return apiHeaders($task['url'], $task['partnerId'], $task['privateKey']);
        case 'widget':
            $text = widgetText($task['params']);
            return ['text' => $text, 'signature' => widgetSignature($text, $task['secretKey'])];
        case 'request':
            ['method' => $method, 'url' => $url, 'headers' => $headers] = $task;
            $text = requestText($method, $url, $headers, (string) parse_url($url, PHP_URL_QUERY));
            return ['text' => $text, 'signature' => rsaSignature($text, $task['privateKey'])];
        case 'webhook':
            ['address' => $address, 'publicKey' => $key, 'headers' => $headers, 'query' => $query] = $task;
            return ['digest' => verifyWebhook($address, $key, $headers, $query, $task['now'])];
    }
}

$results = [];
foreach (json_decode(stream_get_contents(STDIN), true, 32, JSON_THROW_ON_ERROR) as $task) {
    try {
        $results[] = run($task);
    } catch (InvalidArgumentException $error) {
        $results[] = ['error' => $error->getMessage()];
    }
}
echo json_encode($results, JSON_THROW_ON_ERROR);
