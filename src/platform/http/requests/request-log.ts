import type { EndedRequest } from '@outreach/http-api/requests';
import { Histogram } from 'prom-client';
import type { Log } from '@outreach/logging';
import type { ServiceRequest } from './request.js';

/** Seconds from the request's headers to the end of its response. */
const requestDuration = new Histogram({
  name: 'outreach_http_request_duration_seconds',
  help: 'Duration of the requests to this process, from their headers to the end of the response',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});

/** Returns a function that logs and measures a request at its end. */
export const requestLog =
  (log: Log) =>
  ({ request, method, requestId, route, path, status, seconds }: EndedRequest): void => {
    const { user } = request as ServiceRequest;
    requestDuration.observe({ method, route, status }, seconds);
    log.info('request', {
      request_id: requestId,
      workspace_id: user?.workspace_id,
      method,
      path,
      status,
      ms: Math.round(seconds * 10_000) / 10,
    });
  };
