import { envelope } from '../wire/frames.js';
import { type Dialect, type RawCall, type Shape, anyShape, politeCall } from './polite.js';
import type { Random } from '../../random.js';

export const DIALECTS: readonly Dialect[] = ['connectUnary', 'connectStream', 'grpc', 'grpcWeb'];
export const FRAMED: readonly Dialect[] = ['connectStream', 'grpc', 'grpcWeb'];

export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;
/** A kind of call: what is odd in it, and how it is made of a sound one. */
export type Maker = (random: Random) => RawCall;

/** A sound call with one thing wrong. */
export function odd(
  name: string,
  dialects: readonly Dialect[],
  change: (call: RawCall, random: Random, shape: Shape) => Partial<RawCall>,
): Maker[] {
  return dialects.map((dialect) => (random) => {
    const shape = anyShape(random, dialect);
    const call = politeCall(random, shape, `${name}/${dialect}`);
    return { ...call, isSound: false, ...change(call, random, shape) };
  });
}

export function withFields({ head }: RawCall, fields: Fields): Pick<RawCall, 'head'> {
  const merged = Object.entries({ ...head.headers, ...fields });
  const headers = Object.fromEntries(
    merged.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return { head: { ...head, headers } };
}

export const CODING_FIELDS: Readonly<Record<Dialect, readonly [sent: string, accepted: string]>> = {
  connectUnary: ['content-encoding', 'accept-encoding'],
  connectStream: ['connect-content-encoding', 'connect-accept-encoding'],
  grpc: ['grpc-encoding', 'grpc-accept-encoding'],
  grpcWeb: ['grpc-encoding', 'grpc-accept-encoding'],
};

export function inFrame(dialect: Dialect, data: Uint8Array, flags: number): Buffer {
  return dialect === 'connectUnary' ? Buffer.from(data) : envelope(flags, data);
}
