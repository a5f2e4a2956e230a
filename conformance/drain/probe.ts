import { ProtoRegistry } from '@apix/proto/core';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { fileURLToPath } from 'node:url';

/** Seen from the bundle, four folders below the root of the repository. */
const TESTDATA = '../../../../libs/proto/testdata/';

export const DESCRIPTORS = fileURLToPath(new URL(`${TESTDATA}kinds.binpb`, import.meta.url));
export const PROTO_DIR = fileURLToPath(new URL(TESTDATA, import.meta.url));
export const PROTO_FILE = 'apix/testdata/kinds.proto';
export const PACKAGE = 'apix.testdata';
export const SERVICE = 'Probe';

/** What of a message the calls use. */
export interface Shape {
  readonly stringValue?: string;
}

const { registry } = ProtoRegistry.load(DESCRIPTORS);
export const PROBE = registry.getService(`${PACKAGE}.${SERVICE}`)!;
const schema = registry.getMessage(`${PACKAGE}.Kinds`)!;

export function encode(shape: Shape): Buffer {
  return Buffer.from(toBinary(schema, create(schema, shape as Record<string, unknown>)));
}

export function decode(bytes: Buffer): Shape {
  return fromBinary(schema, bytes) as Shape;
}

export function pathOf(method: string): string {
  return `/${PACKAGE}.${SERVICE}/${method}`;
}
