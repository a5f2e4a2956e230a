import { carriedStatus } from '@apix/calls/internal';
import { Code, deadlineAfter } from '@apix/contracts';
import type { CallOptions, ServiceError } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fromBytes, type Handler, Link, toBytes } from './transports.fixture.js';

const links: Link[] = [];
afterEach(() => {
  for (const link of links.splice(0)) link.close();
});

async function linkTo(handler: Handler): Promise<Link> {
  const link = new Link(handler);
  links.push(link);
  await link.open('in-process');
  return link;
}

/** What a unary call fails with, of an ordinary client of grpc-js. */
function failing({ client }: Link, options: CallOptions = {}, path = '/test.Kinds/unary') {
  return new Promise<ServiceError>((resolve, reject) => {
    client.makeUnaryRequest(path, toBytes, fromBytes, {}, options, (error) =>
      error === null ? reject(new Error('it succeeded')) : resolve(error),
    );
  });
}

describe('the error of an in-process call', () => {
  it.each([
    [Code.UNAVAILABLE, 'connect ECONNREFUSED by decision of the board'],
    [Code.UNAVAILABLE, 'the in-process server of the shop is closed'],
    [Code.CANCELLED, 'Cancelled on client'],
    [Code.DEADLINE_EXCEEDED, 'Deadline exceeded'],
    [Code.INTERNAL, 'Received RST_STREAM with code 2'],
    [Code.UNKNOWN, 'who knows'],
  ])('tells that the server made it, whatever its words: %s, %s', async (code, details) => {
    const error = await failing(await linkTo((_, respond) => respond({ code, details })));
    expect(carriedStatus(error)).toMatchObject({
      fromServer: true,
      error: { code, message: details },
    });
  });

  const hanging: Handler = () => {};
  it.each<[string, keyof typeof Code, () => Promise<ServiceError>]>([
    [
      'of a deadline',
      'DEADLINE_EXCEEDED',
      async () => failing(await linkTo(hanging), { deadline: Date.now() + 20 }),
    ],
    [
      'of a deadline that passed before',
      'DEADLINE_EXCEEDED',
      async () => failing(await linkTo(hanging), { deadline: Date.now() - 1 }),
    ],
    [
      'of a server that was closed',
      'UNAVAILABLE',
      async () => {
        const link = await linkTo(hanging);
        await link.door.close(deadlineAfter(Infinity));
        return failing(link);
      },
    ],
  ])('tells that the server did not make it: %s', async (_, code, make) => {
    const { fromServer, error } = carriedStatus(await make())!;
    expect([fromServer, Code[error.code]]).toEqual([false, code]);
  });
});
