import { Histogram } from 'prom-client';

/** Seconds from the request's headers to the end of its response. */
export const requestDuration = new Histogram({
  name: 'outreach_http_request_duration_seconds',
  help: 'Duration of the requests to this process, from their headers to the end of the response',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});
