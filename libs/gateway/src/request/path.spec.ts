import { readFileSync } from 'node:fs';
import { ProtoRegistry } from '@apix/proto/core';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EchoServer, TRANSCODING, startEchoServer } from '../fixtures/echo-server.fixture.js';
import { useRig, upstreamOf } from '../fixtures/rig.fixture.js';
import { type Ask, type Served, ask, serve } from '../fixtures/serve.fixture.js';
import { refusal, talk } from '../fixtures/talk.fixture.js';
import { Gateway } from '../http/gateway.js';
import { webSockets } from '../http/websocket/web-sockets.js';
import type { HttpRuleInit } from '../rules/extra-rules.js';
import type { Upstream } from '../upstream/upstream.js';

/** Paths that bind a member of a oneof, of the request and of a message inside it. */
const RULES: readonly HttpRuleInit[] = [
  {
    selector: 'transcoding.v1.EchoService.Query',
    get: '/v1/choices/{choice_str}',
    additionalBindings: [
      { post: '/v1/choices/{choice_str}', body: '*' },
      { post: '/v1/choices/{choice_str}/nested', body: 'nested' },
      { post: '/v1/nested-choices/{choice_nested.str}', body: '*' },
      { get: '/v1/optional/{optional_i32}' },
    ],
  },
  {
    selector: 'transcoding.v1.EchoService.Update',
    get: '/v1/items/{item.choice_str}',
    additionalBindings: [
      { post: '/v1/items/{item.choice_str}', body: 'item' },
      { post: '/v1/items/{item.choice_str}/whole', body: '*' },
    ],
  },
];

const json = (body: unknown): Ask => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});
const form = (body: string): Ask => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});

describe.each(['network', 'http2', 'in-process'] as const)(
  'a path variable of a oneof (%s)',
  (via) => {
    const rig = useRig(via);
    const answerTo = async (path: string, how: Ask = {}) =>
      ask(await rig.start({ rules: RULES, forms: true }), path, how);

    it.each<[string, string, Ask, RegExp]>([
      [
        'of the query',
        '/v1/choices/a?choice_i32=3',
        {},
        /query parameter "choice_i32" cannot be set together with choiceStr/,
      ],
      [
        'of the query, with the default value',
        '/v1/choices/a?choiceI32=0',
        {},
        /query parameter "choiceI32" cannot be set together with choiceStr/,
      ],
      [
        'of the query, whose field is a message',
        '/v1/choices/a?choiceNested.str=b',
        {},
        /query parameter "choiceNested.str" cannot be set together with choiceStr/,
      ],
      [
        'of the query, next to a body',
        '/v1/choices/a/nested?choice_i32=3',
        json({ str: 'n' }),
        /query parameter "choice_i32" cannot be set together with choiceStr/,
      ],
      [
        'of the body',
        '/v1/choices/a',
        json({ choiceI32: 3 }),
        /request body, \$\.choiceI32: cannot be set together with choiceStr, which the path sets/,
      ],
      [
        'of the body, whose field is a message',
        '/v1/choices/a',
        json({ choice_nested: {} }),
        /request body, \$\.choiceNested: cannot be set together with choiceStr/,
      ],
      [
        'of a form',
        '/v1/choices/a',
        form('choice_i32=3'),
        /form field "choice_i32" cannot be set together with choiceStr/,
      ],
      [
        'of the body, above the message that the path sets a field of',
        '/v1/nested-choices/a',
        json({ choiceStr: 'b' }),
        /request body, \$\.choiceStr: cannot be set together with choiceNested, which the path sets/,
      ],
      [
        'of a form, above the message that the path sets a field of',
        '/v1/nested-choices/a',
        form('choice_str=b'),
        /form field "choice_str" cannot be set together with choiceNested/,
      ],
      [
        'of a message inside, in the query',
        '/v1/items/a?item.choice_i32=3',
        {},
        /query parameter "item.choice_i32" cannot be set together with choiceStr/,
      ],
      [
        'of a message inside, which is the body',
        '/v1/items/a',
        json({ choiceI32: 3 }),
        /request body, \$\.choiceI32: cannot be set together with choiceStr, which the path sets/,
      ],
      [
        'of a message inside, which is a form',
        '/v1/items/a',
        form('choice_i32=3'),
        /form field "item.choice_i32" cannot be set together with choiceStr/,
      ],
      [
        'of a message inside the body',
        '/v1/items/a/whole',
        json({ item: { choiceI32: 3 } }),
        /request body, \$\.item\.choiceI32: cannot be set together with choiceStr/,
      ],
    ])('refuses another member of it: %s', async (_, path, how, detail) => {
      const answer = await answerTo(path, how);
      expect(answer.status).toBe(400);
      expect((answer.json as { detail: string }).detail).toMatch(detail);
      expect(answer.json).toHaveProperty('errors');
    });

    it.each<[string, string, Ask, object]>([
      ['its own value', '/v1/choices/a', json({ choiceStr: 'b' }), { choiceStr: 'a' }],
      ['another member as null', '/v1/choices/a', json({ choiceI32: null }), { choiceStr: 'a' }],
      [
        'other fields of the message that it sets a field of',
        '/v1/nested-choices/a',
        json({ choiceNested: { i64: '5' } }),
        { choiceNested: { str: 'a', i64: '5' } },
      ],
      [
        'optional fields, which are in no oneof',
        '/v1/optional/3?choice_str=a',
        {},
        { optionalI32: 3, choiceStr: 'a' },
      ],
    ])('takes %s', async (_, path, how, message) => {
      const answer = await answerTo(path, how);
      expect([answer.status, answer.json]).toEqual([200, message]);
    });
  },
);

/** The echo server's descriptors with a Chat of messages that have a oneof. */
function registryWithChoices(): ProtoRegistry {
  const set = fromBinary(FileDescriptorSetSchema, new Uint8Array(readFileSync(TRANSCODING)));
  const chat = set.file
    .flatMap((file) => file.service)
    .flatMap((service) => service.method)
    .find(({ name }) => name === 'Chat')!;
  chat.inputType = chat.outputType = '.transcoding.v1.Everything';
  return ProtoRegistry.load(toBinary(FileDescriptorSetSchema, set));
}

describe.each(['network', 'http2', 'in-process'] as const)(
  'a path variable of a oneof, for a WebSocket (%s)',
  (via) => {
    let echo: EchoServer;
    let upstream: Upstream;
    let served: Served;

    beforeAll(async () => {
      const registry = registryWithChoices();
      echo = await startEchoServer(registry);
      upstream = upstreamOf(via, echo.endpoint, echo.door);
      const rules = [
        { selector: 'transcoding.v1.StreamService.Chat', get: '/v1/chat/{choice_str}' },
      ];
      const gateway = new Gateway(registry, upstream, { rules, webSockets: webSockets() });
      served = await serve(gateway.handle);
      gateway.serveUpgrades(served.server);
    });
    afterAll(async () => {
      await served.close();
      upstream.close();
      echo.stop();
    });

    it('refuses another member in the query of the handshake', async () => {
      const refused = await refusal(served.port, '/v1/chat/a?choice_i32=3');
      expect(refused.status).toBe(400);
      expect((refused.json as { detail: string }).detail).toMatch(
        /query parameter "choice_i32" cannot be set together with choiceStr/,
      );
    });

    it('refuses another member in a message, and takes null for none', async () => {
      const { ws, frames, received, closed } = await talk(served.port, '/v1/chat/a');
      ws.send('{"choiceI32":null,"choiceNested":null,"i32":1}');
      await received(1);
      ws.send('{"choiceI32":3}');
      expect(await closed).toEqual([4003, 'INVALID_ARGUMENT']);
      expect(JSON.parse(String(frames[0]))).toEqual({ result: { i32: 1, choiceStr: 'a' } });
      const { error } = JSON.parse(String(frames.at(-1))) as { error: { detail: string } };
      expect(error.detail).toMatch(/\$\.choiceI32: cannot be set together with choiceStr/);
    });
  },
);
