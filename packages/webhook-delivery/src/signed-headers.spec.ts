import { DELIVERY_HEADERS } from './delivery-headers.js';
import { signedHeaders } from './signed-headers.js';

const REQUEST = {
  url: 'https://crm.example.com/hook',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  event: 'webhook.test',
  body: '{"test": 2432232314}',
  delivery_id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  attempt: 3,
};

describe('signedHeaders', () => {
  it('returns the signature of the example in the Standard Webhooks specification', () => {
    expect(signedHeaders(REQUEST, 1_614_265_330)).toMatchObject({
      'webhook-id': REQUEST.delivery_id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('returns Content-Type, User-Agent, and exactly the headers that the API reference describes', () => {
    const names = Object.keys(signedHeaders(REQUEST, 0));
    const described = Object.keys(DELIVERY_HEADERS).map((name) => name.toLowerCase());
    expect(names).toEqual(['content-type', 'user-agent', ...described]);
  });
});
