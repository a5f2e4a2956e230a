import { Code } from '@apix/contracts';
import { type HttpRefusal, badRequest, refusal } from '../../errors.js';
import type { BodyContent, ReadProgress, ReadRequest } from '../announced-request.js';
import { assertCoding, isIdentity } from './coding.js';
import type { MessageRules } from './message-codec.js';
import type { FramingReader, RequestForm, RpcFrame } from './protocol.js';
import { AT_ONCE_BYTES, unpackedWithin } from './unpacker.js';

/** The body of a request with one message. */
export class SingleRequest implements BodyContent {
  readonly maxBytes: number;

  constructor(
    private readonly form: RequestForm,
    private readonly rules: MessageRules,
  ) {
    const { framing } = form;
    this.maxBytes = framing === 'body' ? rules.maxBytes : framing.bodyBytes(rules.maxBytes);
  }

  get given(): (() => Buffer) | undefined {
    return this.form.given;
  }

  check(): void {
    assertCoding(this.form.coding ?? '');
  }

  read(body: Buffer, progress: ReadProgress): ReadRequest | undefined | Promise<ReadRequest> {
    const { framing, coding = '' } = this.form;
    const { codec, maxBytes, asWire, unpacker } = this.rules;
    const frame =
      framing === 'body'
        ? { isCompressed: !isIdentity(coding), bytes: body }
        : onlyMessage(body, framing.reader(maxBytes));
    if (!frame.isCompressed) return codec.read(frame.bytes, asWire);
    if (!progress.isAdmitted) {
      const plain = unpackedWithin(frame, coding, Math.min(maxBytes, AT_ONCE_BYTES));
      return plain && codec.read(plain, asWire);
    }
    const plain = unpacker.unpack(frame, coding, maxBytes, () => !progress.isStopped);
    return plain instanceof Promise
      ? plain.then((all) => codec.read(all, asWire))
      : codec.read(plain, asWire);
  }
}

function onlyMessage(bytes: Buffer, reader: FramingReader): RpcFrame {
  let only: RpcFrame | undefined;
  for (const frame of reader.read(bytes)) {
    if (only !== undefined) throw notOne('more than one request message');
    only = frame;
  }
  reader.end();
  if (only === undefined) throw notOne('no request message');
  return only;
}

/** As gRPC has it (statuscodes.md, "client-side cardinality violation"). */
function notOne(found: string): HttpRefusal {
  return refusal(Code.UNIMPLEMENTED, `request body: ${found}; this method takes one`);
}

/** A request body that must not be there. */
export function noBodyWith(method: string): HttpRefusal {
  return badRequest(`request body: a ${method} has its message in the URL`);
}
