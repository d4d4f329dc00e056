import { HttpsClient } from '@outreach/egress';

/**
 * Lets the webhook deliveries of this process wait for their responses for another time than ten seconds during the tests of
 * a file, so that none fails only because the machine is slow.
 */
export function useDeliveryTimeout(milliseconds: number): void {
  const post = Reflect.get(HttpsClient.prototype, 'post');
  beforeAll(() => {
    jest.spyOn(HttpsClient.prototype, 'post').mockImplementation(function (this: HttpsClient, url, request) {
      return post.call(this, url, { ...request, timeoutMs: milliseconds });
    });
  });
  afterAll(() => {
    HttpsClient.prototype.post = post;
  });
}
