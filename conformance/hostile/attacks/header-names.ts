import { httpCall } from '../http-call.js';
import { oneOf, porchRequest } from '../knock.js';
import type { Attack } from '../row.js';

const PATH = '/api/v1/porch:names';

/** Names by which a proxy would say who calls. */
const RESERVED = [
  'x-user',
  'x-forwarded-user',
  'remote-user',
  'authorization',
  'x-apix-forwarded',
  'grpc-timeout',
  'cookie',
  'x-roles',
];

/** The same name, as other readers may see it. */
const spellings = (name: string): readonly string[] => [
  `grpc-metadata-${name}`,
  `Grpc-Metadata-${name.toUpperCase()}`,
  `grpc-metadata-${name.replaceAll('-', '_')}`,
  `grpc-metadata-${name.replaceAll('-', '.')}`,
  `grpc-metadata-${name}-bin`,
];

/** Rights by metadata, which a caller must not set. */
export const reservedNames: Attack = async (site, door) => {
  const results: string[] = [];
  for (const header of RESERVED.flatMap(spellings)) {
    const { status } = await httpCall(site.portOf(door), {
      path: PATH,
      headers: { [header]: 'YQ==' },
    });
    results.push(status === 400 ? 'refused' : `${status} to ${header}`);
  }
  return oneOf(results);
};

/** 100 headers that nobody forwards: the server behind sees what it always sees. */
export const otherNames: Attack = async (site, door) => {
  const names = Array.from({ length: 100 }, (_, i) => [`x-other-${i}`, 'a']);
  const many = { ...Object.fromEntries(names), 'x-user': 'root', 'x-forwarded-user': 'root' };
  const usual = await httpCall(site.portOf(door), { path: PATH });
  const more = await httpCall(site.portOf(door), { path: PATH, headers: many });
  return usual.text === more.text ? 'the same' : more.text;
};

/** The names of a call by its name, where every other header is metadata: those by which proxies speak do not arrive. */
export const reservedRpcNames: Attack = async (site, door) => {
  const request = porchRequest(door, 'Names');
  const of = async (more: Readonly<Record<string, string>>): Promise<string> => {
    const headers = { ...request.headers, ...more };
    return (await httpCall(site.portOf(door), { ...request, headers })).text;
  };
  // The caller's own credentials, deadline and cookie are read, and are nobody else's word.
  const own = new Set(['authorization', 'cookie', 'grpc-timeout']);
  const names = RESERVED.filter((name) => !own.has(name)).flatMap((name) => [
    name,
    name.replaceAll('-', '_'),
    name.replaceAll('-', '.'),
    `${name}-bin`,
    ...spellings(name),
  ]);
  const usualNames = await of({});
  const results: string[] = [];
  for (const name of names) {
    results.push((await of({ [name]: 'YQ==' })) === usualNames ? 'none arrives' : name);
  }
  return oneOf(results);
};
