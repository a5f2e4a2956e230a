import { fileURLToPath } from 'node:url';
import { ProtoRegistry } from './proto-registry.js';

/** The compiled testdata/apix/testdata/kinds.proto. */
export const KINDS_PATH = fileURLToPath(new URL('../testdata/kinds.binpb', import.meta.url));

export const kinds = ProtoRegistry.load(KINDS_PATH);

export const KindsSchema = kinds.registry.getMessage('apix.testdata.Kinds')!;
