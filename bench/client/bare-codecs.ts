// The codecs that a bare client of grpc-js is measured with.
import { wireCodec } from '@apix/proto/core';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { loadSync } from '@grpc/proto-loader';
import { list100 } from '../shapes/shapes.ts';
import { LISTED } from './calls.ts';
import { listed, methodOf } from './shop.ts';

/** How the messages of one method get to bytes and back. */
export interface BareCodec {
  readonly serialize: (request: object) => Buffer;
  readonly deserialize: (bytes: Buffer) => unknown;
}

/** What is used of a method of proto-loader. */
interface LoadedMethod {
  readonly requestSerialize: (value: object) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
}

interface Codecs {
  of(localName: string): BareCodec;
  /** The list of about 10 kB, as it is sent. */
  readonly listed: object;
}

/** `create` and `toBinary` of protobuf-es, as an app with generated code calls them. */
const es: Codecs = {
  of(localName) {
    const { input, output } = methodOf(localName);
    return {
      serialize(request) {
        const bytes = toBinary(input, create(input, request));
        return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      },
      deserialize: (bytes) => fromBinary(output, bytes),
    };
  },
  get listed() {
    return listed();
  },
};

/** The codec that the client of apix has: what is left to differ is the client. */
const apix: Codecs = {
  of(localName) {
    const { input, output } = methodOf(localName);
    const [requests, answers] = [wireCodec(input), wireCodec(output)];
    return {
      serialize: (request) => requests.encode(create(input, request)),
      deserialize: (bytes) => answers.decode(bytes),
    };
  },
  get listed() {
    return listed();
  },
};

/** protobuf.js behind proto-loader, with the options that its README and Nest's pages show. */
const loader: Codecs = {
  of(localName) {
    const definitions = loadSync(process.env['PROTO'] ?? '', { longs: String, enums: String });
    const shop = definitions['bench.shapes.Shop'] as unknown as Record<string, LoadedMethod>;
    const method = shop[methodOf(localName).name];
    return { serialize: method.requestSerialize, deserialize: method.responseDeserialize };
  },
  get listed() {
    return list100.document(LISTED) as object;
  },
};

export const CODECS: Readonly<Record<string, Codecs>> = { es, apix, loader };
