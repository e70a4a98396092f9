<?php

// Reads test cases from standard input, signs them, and prints the signed URLs and headers.
// The first argument is the directory of the PHP signer.

declare(strict_types=1);

namespace PartnerRamp;

require $argv[1] . '/signer.php';
require $argv[1] . '/api.php';

$in = json_decode(stream_get_contents(STDIN), true, 32, JSON_THROW_ON_ERROR);
$signer = new WidgetSigner($in['partnerId'], $in['secretKey']);
$urls = [];
foreach ($in['cases'] as $case) {
    $widget = Widget::from($case['widget']);
    $signed = $signer->sign($widget, $case['params'], $case['extraSigned']);
    $urls[] = widgetUrl($in['widgetUrl'], $widget, $signed, $case['unsigned']);
}
$api = new ApiSigner($in['partnerId'], $in['apiPrivateKey']);
echo json_encode(['urls' => $urls, 'headers' => array_map($api->headers(...), $in['apiUrls'])], JSON_THROW_ON_ERROR);
