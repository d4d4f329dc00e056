// Compiled by `npm run check:types` and never run: what must compile, and, after each directive, what must not. The compiler
// refuses a directive without an error in the next line, so each of them is an assertion about the types.
import { type Contact, createClient, type ListItem, unwrap, verifyWebhook } from '../src/index.js';

type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const isTrue = <_Condition extends true>(): void => undefined;

const client = createClient({ baseUrl: 'http://localhost:3000', token: 'out_' });

export async function calls(): Promise<void> {
  const { data } = await unwrap(client.GET('/v1/contacts/{id}', { params: { path: { id: 1 } } }));
  isTrue<Equal<typeof data.id, number>>();
  const gone = await unwrap(client.DELETE('/v1/contacts/{id}', { params: { path: { id: 1 } } }));
  isTrue<Equal<typeof gone, undefined>>();
  void gone;
  await client.POST('/v1/tags', { body: { name: 'VIP' }, headers: { 'Idempotency-Key': 'tag-1' } });
  const preview = { params: { path: { id: 1 } }, body: { variables: { first_name: 'Ada', sender: { name: 'Eve' } } } };
  await client.POST('/v1/templates/{id}/preview', preview);
  // @ts-expect-error a path that does not exist
  await client.GET('/v1/contact');
  // @ts-expect-error a page for people, without a token
  await client.GET('/u/{token}', { params: { path: { token: '' } } });
  // @ts-expect-error a method that the path does not have
  await client.PUT('/v1/contacts', { body: {} });
  // @ts-expect-error a field with the wrong type
  await client.POST('/v1/tags', { body: { name: 7 } });
  // @ts-expect-error a required field is missing
  await client.POST('/v1/tags', { body: {} });
  // @ts-expect-error an unknown field
  await client.POST('/v1/tags', { body: { name: 'VIP', colour: '#fff' } });
  // @ts-expect-error a status that contacts do not have
  await client.GET('/v1/contacts', { params: { query: { status: 'archived' } } });
  // @ts-expect-error a field that contacts do not have
  void data.surname;
}

export async function iteration(): Promise<void> {
  for await (const contact of client.iterate('/v1/contacts', { query: { status: 'active', per_page: 50 } })) {
    isTrue<Equal<typeof contact, Contact>>();
    void contact;
  }
  for await (const page of client.iteratePages('/v1/tags')) {
    isTrue<Equal<(typeof page.data)[number]['name'], string>>();
    void page;
  }
  isTrue<Equal<ListItem<'/v1/contacts'>, Contact>>();
  client.iterate('/v1/campaigns/{id}/messages', { path: { id: 1 }, query: { opened: 1 } });
  // @ts-expect-error the path has a parameter
  client.iterate('/v1/campaigns/{id}/messages');
  // @ts-expect-error not a list
  client.iterate('/v1/me');
  // @ts-expect-error a list without pages
  client.iterate('/v1/campaigns/{id}/steps', { path: { id: 1 } });
  // @ts-expect-error a filter that the list does not have
  client.iterate('/v1/contacts', { query: { stage: 'lead' } });
  // @ts-expect-error the client sets the cursor
  client.iterate('/v1/contacts', { query: { cursor: '' } });
}

export async function events(): Promise<void> {
  for await (const one of client.iterateEvents({ events: ['email.sent', 'contact.created'] })) {
    if (one.event === 'contact.created') isTrue<Equal<typeof one.data, Contact>>();
  }
  // @ts-expect-error an event that does not exist
  client.iterateEvents({ events: ['contact.lost'] });
  const received = await verifyWebhook({ secret: 'whsec_', headers: new Headers(), body: '' });
  if (received.event === 'email.clicked') isTrue<Equal<typeof received.data.url, string>>();
  // @ts-expect-error the body of a webhook is bytes or text
  await verifyWebhook({ secret: 'whsec_', headers: {}, body: { event: 'contact.created' } });
}
