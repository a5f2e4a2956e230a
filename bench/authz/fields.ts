// One process: a call over the loopback interface whose answer has 100 messages, for a caller who sees every field, and
// for one from whom a field of each is hidden; and the masks of five fields of each. `node fields.mjs fields.binpb`
import { Authorizer } from '@apix/authz/core';
import { authzInterceptor } from '@apix/authz/grpc';
import { serviceDefinition } from '@apix/grpc/core';
import {
  create,
  fromBinary,
  type Message,
  type MessageInitShape,
  setExtension,
  toBinary,
} from '@bufbuild/protobuf';
import { FieldOptionsSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Client, Metadata, Server, ServerCredentials, credentials } from '@grpc/grpc-js';
import { celConditions } from '@apix/authz/conditions';
import { ProtoRegistry } from '@apix/proto/core';
import { readFileSync } from 'node:fs';
import { visible, VisibilitySchema } from '../../libs/authz/src/gen/apix/authz/authz_pb.js';

const SET = readFileSync(process.argv[2]);
const FIELDS = ProtoRegistry.load(SET);
const CALLS = 400;
const ROUNDS = 25;
const SUBJECTS = {
  everything: { id: 'sam', roles: ['user', 'staff'], permissions: ['people:age'] },
  masked: { id: 'ada', roles: ['user'], permissions: [] },
} as const;
type Who = keyof typeof SUBJECTS;

const authorizer = new Authorizer(FIELDS, {
  subject: ({ metadata }) => SUBJECTS[metadata.get('x-who')[0] as Who],
  conditions: celConditions(),
});
const service = FIELDS.services.find(({ name }) => name === 'Directory')!;
const list = service.methods.find(({ name }) => name === 'Contacts')!;
const contacts = Array.from({ length: 100 }, (_, n) => ({
  name: `people/${n}`,
  title: 'Head of sales',
  phone: `+44 1225 46${n}`,
  note: { text: `${n} High Street` },
  tags: ['customer'],
  since: BigInt(n),
}));
const answer = create(list.output, { contacts });

const server = new Server({ interceptors: [authzInterceptor(authorizer)] });
server.addService(
  { list: serviceDefinition(service)['Contacts'] },
  { list: (_: unknown, done: (error: null, message: Message) => void) => done(null, answer) },
);
const port = await new Promise<number>((resolve, reject) =>
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
    error === null ? resolve(bound) : reject(error),
  ),
);
const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
const same = (bytes: Buffer): Buffer => bytes;
const request = Buffer.from(toBinary(list.input, create(list.input)));

async function call(who: Who): Promise<Buffer> {
  const metadata = new Metadata();
  metadata.set('x-who', who);
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      '/fields.v1.Directory/Contacts',
      same,
      same,
      request,
      metadata,
      (error, bytes) => (error === null ? resolve(bytes!) : reject(error)),
    );
  });
}

/** Microseconds of CPU a call. */
async function time(who: Who): Promise<number> {
  const begun = process.cpuUsage();
  for (let n = 0; n < CALLS; n++) await call(who);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / CALLS;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

if ((await call('masked')).includes('+44') || !(await call('everything')).includes('+44')) {
  throw new Error('the field is not hidden as it should be');
}
const times: Record<Who, number[]> = { everything: [], masked: [] };
for (let round = 0; round < ROUNDS; round++) {
  const order: readonly Who[] =
    round % 2 === 0 ? ['everything', 'masked'] : ['masked', 'everything'];
  for (const who of order) {
    const took = await time(who);
    if (round > 2) times[who].push(took);
  }
}
const whole = median(times.everything);

/** Microseconds of CPU of a mask of the answer alone, and which part of a call that is. */
function maskAlone(of: Authorizer): string {
  const rounds = Array.from({ length: 7 }, () => {
    const begun = process.cpuUsage();
    for (let n = 0; n < 2_000; n++) of.mask(answer, SUBJECTS.masked);
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 2_000;
  });
  const took = median(rounds);
  return `${took.toFixed(1)} µs, ${((took / whole) * 100).toFixed(1)} % of the call`;
}

/** The same messages with the visibility of five of their six fields. */
function hidingFive(visibility: MessageInitShape<typeof VisibilitySchema>): Authorizer {
  const set = fromBinary(FileDescriptorSetSchema, SET);
  const messages = set.file.flatMap(({ messageType }) => messageType);
  for (const field of messages.find(({ name }) => name === 'Contact')!.field) {
    if (field.name === 'name') continue;
    field.options ??= create(FieldOptionsSchema);
    setExtension(field.options, visible, create(VisibilitySchema, visibility));
  }
  return new Authorizer(ProtoRegistry.load(toBinary(FileDescriptorSetSchema, set)), {
    subject: () => null,
    conditions: celConditions(),
  });
}

console.log(
  `fields   100 messages ${whole.toFixed(0)} µs a call, with a hidden field in each ` +
    `${median(times.masked).toFixed(0)} µs; the mask alone ${maskAlone(authorizer)} (goal 5 %)`,
);
const byRole = hidingFive({ roles: { anyOf: ['staff'] } });
const byCondition = hidingFive({
  condition: "this.name == subject.id || 'staff' in subject.roles",
});
console.log(
  `         with five hidden fields in each ${maskAlone(byRole)}; by a condition ${maskAlone(byCondition)} (goal 5 %)`,
);
client.close();
server.forceShutdown();
