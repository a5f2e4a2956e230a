import { ProtoRegistry } from '@apix/proto/core';
import { fileURLToPath } from 'node:url';
import type { ProbeService } from '../../libs/grpc-client/src/client/probe-service.fixture.js';

/** Seen from the bundle, four folders below the root of the repository. */
export const DESCRIPTORS = fileURLToPath(
  new URL('../../../../libs/proto/testdata/kinds.binpb', import.meta.url),
);

/**
 * The service that all three processes serve. `Unary` stands for a method that may be called twice,
 * `ClientStream` for one that may not.
 */
export const Probe = ProtoRegistry.load(DESCRIPTORS).services.find(
  ({ typeName }) => typeName === 'apix.testdata.Probe',
) as unknown as ProbeService;
