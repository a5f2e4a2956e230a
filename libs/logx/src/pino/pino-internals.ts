import { type Logger as PinoLogger, symbols } from 'pino';

/** A pino logger with access to its internals. */
export type PinoInternals = PinoLogger & Record<symbol, unknown>;

/** The internals of pino that are used. Why: docs/decisions/0060 */
export interface PinoSymbols {
  /** The method that encodes the line: `(obj, msg, level, time) => line`. */
  readonly asJson: symbol;
  /** The bindings as the inside of a JSON object, after a comma. */
  readonly bindings: symbol;
  readonly serializers: symbol;
  readonly formatters: symbol;
  /** A different object for a child with its own redaction. */
  readonly stringifiers: symbol;
}

export const PINO_SYMBOLS: PinoSymbols = {
  asJson: symbols.asJsonSym,
  bindings: symbols.chindingsSym,
  serializers: symbols.serializersSym,
  formatters: symbols.formattersSym,
  stringifiers: symbols.stringifiersSym,
};
