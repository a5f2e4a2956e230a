import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { transcodingRegistry } from '../fixtures/echo-server.fixture.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import { compileServices } from '../rules/compile-services.js';
import { buildOpenApi } from './build-document.js';

const protos = transcodingRegistry();
const fields = protos.method('/transcoding.v1.EchoService/Response')!.output.fields;

/** The whole response is one field, of each kind. */
const rules = [
  {
    selector: 'transcoding.v1.EchoService.Response',
    post: '/v1/all',
    body: '*',
    additionalBindings: fields.map(({ name }) => ({
      post: `/v1/only/${name}`,
      body: '*',
      responseBody: name,
    })),
  },
];

const { bindings } = compileServices(protos.services, rules);
const document = buildOpenApi({ protos, bindings, prefix: '', transcoding: {} });
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'document');

function isAsDocumented(path: string, json: unknown): boolean {
  const place = [
    'paths',
    path,
    'post',
    'responses',
    '200',
    'content',
    'application/json',
    'schema',
  ];
  const pointer = place.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'));
  return ajv.validate({ $ref: `document#/${pointer.map(encodeURIComponent).join('/')}` }, json);
}

describe.each(['network', 'in-process'] as const)('over the transport %s', (transport) => {
  const rig = useRig(transport);

  it('a response that is an unset field is what the document says', async () => {
    const port = await rig.start({ rules });
    for (const { name, presence } of fields) {
      const path = `/v1/only/${name}`;
      const { status, json } = await ask(port, path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect([name, status, isAsDocumented(path, json)]).toEqual([name, 200, true]);
      expect([name, json === null]).toEqual([name, presence === Presence.EXPLICIT]);
    }
  });
});
