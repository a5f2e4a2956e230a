import {
  type DescMessage,
  type Message,
  type Registry,
  fromBinary,
  fromJsonString,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import * as proto from '../index.js';

/** Every way on which a message is read, written or handed over. */
export interface Ways {
  readJson(desc: DescMessage, json: string): Message;
  writeJson(desc: DescMessage, message: Message): string;
  readWire(desc: DescMessage, wire: Uint8Array): Message;
  writeWire(desc: DescMessage, message: Message): Uint8Array;
  jsonToWire(desc: DescMessage, json: string): Uint8Array;
  wireToJson(desc: DescMessage, wire: Uint8Array): string;
  transfer(desc: DescMessage, message: Message): Message;
}

export type Way = keyof Ways;

/** What protobuf-es makes of it. A transfer is what the wire would have made. */
export function referenceWays(registry: Registry, ignoreUnknownFields = false): Ways {
  const reading = { registry, ignoreUnknownFields };
  const readJson: Ways['readJson'] = (desc, json) => fromJsonString(desc, json, reading);
  const writeJson: Ways['writeJson'] = (desc, message) =>
    JSON.stringify(toJson(desc, message, { registry }));
  return {
    readJson,
    writeJson,
    readWire: fromBinary,
    writeWire: toBinary,
    jsonToWire: (desc, json) => toBinary(desc, readJson(desc, json)),
    wireToJson: (desc, wire) => writeJson(desc, fromBinary(desc, wire)),
    transfer: (desc, message) => fromBinary(desc, toBinary(desc, message)),
  };
}

interface Planned {
  encodeBytes(desc: DescMessage, message: Message): Buffer;
  toWire(desc: DescMessage, json: string | Uint8Array): Buffer;
  fromWire(desc: DescMessage, wire: Uint8Array): Buffer;
}
interface PlannedExports {
  wireCodec?(desc: DescMessage): {
    decode(bytes: Uint8Array): Message;
    encode(message: Message): Buffer;
  };
  transfer?(desc: DescMessage, message: Message): Message;
}

/** The compiled ways of this package. What is not there yet goes the way of protobuf-es. */
export function compiledWays(registry: Registry, ignoreUnknownFields = false): Ways {
  const codec: proto.JsonCodec & Partial<Planned> = new proto.JsonCodec(registry, {
    unknownFields: ignoreUnknownFields ? 'ignore' : 'refuse',
  });
  const { wireCodec, transfer } = proto as typeof proto & PlannedExports;
  const readWire: Ways['readWire'] =
    wireCodec === undefined ? fromBinary : (desc, wire) => wireCodec(desc).decode(wire);
  const writeWire: Ways['writeWire'] =
    wireCodec === undefined ? toBinary : (desc, message) => wireCodec(desc).encode(message);
  return {
    readJson: (desc, json) => codec.decode(desc, json),
    writeJson: (desc, message) =>
      codec.encodeBytes?.(desc, message).toString() ?? codec.encode(desc, message),
    readWire,
    writeWire,
    jsonToWire: (desc, json) =>
      codec.toWire?.(desc, json) ?? writeWire(desc, codec.decode(desc, json)),
    wireToJson: (desc, wire) =>
      codec.fromWire?.(desc, wire).toString() ?? codec.encode(desc, readWire(desc, wire)),
    transfer: transfer ?? ((desc, message) => readWire(desc, writeWire(desc, message))),
  };
}
