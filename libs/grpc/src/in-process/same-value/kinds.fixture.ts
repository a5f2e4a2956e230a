import { type Message, create } from '@bufbuild/protobuf';
import { probe } from '../../../../grpc-client/src/client.fixture.js';

type Members = Readonly<Record<PropertyKey, unknown>>;

export type OddValue = readonly [name: string, make: () => unknown];

export const Kinds = probe.registry.getMessage('apix.testdata.Kinds')!;

export const kinds = (init: Members = {}): Message => create(Kinds, init as never);

/** A message with members as no one checks them. */
export const bent = (members: Members): Message => Object.assign(kinds(), members);
