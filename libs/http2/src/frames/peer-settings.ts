import {
  ConnectionError,
  DEFAULT_WINDOW_BYTES,
  HTTP2_ERROR,
  MAX_PAYLOAD_BYTES,
  MAX_WINDOW_BYTES,
  SETTING,
} from './frames.js';

const SETTING_BYTES = 6;
const MAX_FRAME_SIZE = 2 ** 24 - 1;

/** What the other end of a connection takes. */
export class PeerSettings {
  readonly #maxPush: number;
  maxStreams = Infinity;
  initialWindow = DEFAULT_WINDOW_BYTES;
  /** Undefined: not announced. */
  headerTableBytes: number | undefined;

  /** @param mayPush whether it may ask for pushes: a client may, a server may not (RFC 9113, 6.5.2). */
  constructor(mayPush: boolean) {
    this.#maxPush = mayPush ? 1 : 0;
  }

  /**
   * Reads the payload of SETTINGS; unknown settings are ignored.
   *
   * @throws ConnectionError
   */
  read(payload: Buffer): void {
    if (payload.length % SETTING_BYTES !== 0) {
      throw new ConnectionError(HTTP2_ERROR.frameSize, `settings of ${payload.length} bytes`);
    }
    for (let at = 0; at < payload.length; at += SETTING_BYTES) {
      this.#set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
    }
  }

  #set(id: number, value: number): void {
    const isWrong =
      (id === SETTING.enablePush && value > this.#maxPush) ||
      (id === SETTING.maxFrameSize && (value < MAX_PAYLOAD_BYTES || value > MAX_FRAME_SIZE));
    if (isWrong) throw new ConnectionError(HTTP2_ERROR.protocol, `setting ${id} of ${value}`);
    if (id === SETTING.headerTableSize) this.headerTableBytes = value;
    else if (id === SETTING.maxConcurrentStreams) this.maxStreams = value;
    else if (id === SETTING.initialWindowSize) {
      if (value > MAX_WINDOW_BYTES) {
        throw new ConnectionError(HTTP2_ERROR.flowControl, `windows of ${value} bytes`);
      }
      this.initialWindow = value;
    }
  }
}
