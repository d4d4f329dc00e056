<?php
// Reads claims from standard input, and writes what the snippet for PHP says of each.
declare(strict_types=1);

require __DIR__ . '/../../../examples/webhooks/verify.php';

function judged(array $claim): array
{
    $body = base64_decode($claim['body']);
    $headers = [];
    foreach ($claim['headers'] as $name => $value) {
        $headers[ucwords($name, '-')] = $value; // As in getallheaders().
    }
    return [
        'verify' => verify($claim['secret'], $body, $headers),
        'verify_body' => verify_body($claim['secret'], $body, $headers),
    ];
}

echo json_encode(array_map('judged', json_decode(stream_get_contents(STDIN), true)));
