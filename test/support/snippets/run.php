<?php
// Reads deliveries from standard input and writes the results of the PHP snippet for each.
declare(strict_types=1);

require __DIR__ . '/../../../examples/webhooks/verify.php';

function verified(array $delivery): array
{
    $body = base64_decode($delivery['body']);
    $headers = [];
    foreach ($delivery['headers'] as $name => $value) {
        $headers[ucwords($name, '-')] = $value; // Like getallheaders().
    }
    return [
        'verify' => verify($delivery['secret'], $body, $headers),
        'verify_body' => verify_body($delivery['secret'], $body, $headers),
    ];
}

echo json_encode(array_map('verified', json_decode(stream_get_contents(STDIN), true)));
