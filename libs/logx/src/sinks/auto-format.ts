import { isatty } from 'node:tty';
import type { Encoder } from '../encode/encoder.js';
import type { Format } from './sink.js';

/** A format, one of a user's own, or `auto`: `console` for a sink that writes to a terminal, `json` for any other. */
export type FormatChoice = Format | Encoder | 'auto';

/** The descriptors of a process for what it writes. */
export const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;

/** Where a sink writes: a descriptor, or a stream. */
export type FormatTarget = number | { readonly isTTY?: unknown };

/**
 * The format that is meant.
 *
 * @param target undefined for nothing that can be a terminal.
 */
// Why: docs/decisions/0404
export function chosenFormat<F extends Format | Encoder | undefined>(
  format: F | 'auto',
  target?: FormatTarget,
): F | 'console' | 'json' {
  if (format !== 'auto') return format;
  const isTerminal = typeof target === 'number' ? isatty(target) : target?.isTTY === true;
  return isTerminal ? 'console' : 'json';
}

/** The layout that a sink is to have: with `auto` none for a sink whose format then is another than `console`. */
export function chosenLayout(
  layout: string | undefined,
  choice: FormatChoice | undefined,
  format: Format | Encoder | undefined,
): string | undefined {
  return choice === 'auto' && format !== undefined && format !== 'console' ? undefined : layout;
}
