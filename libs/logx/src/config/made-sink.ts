import { type Mistakes, OptionsError } from '@apix/contracts';
import { textInPath } from '@apix/contracts/internal';
import type { SinkSpec } from '../sinks/sink.js';
import type { ConfigSettings } from './config-settings.js';
import { WrongOptions } from './decode-options.js';
import { builtInType, type SinkEntry } from './sink-entry.js';
import { sinkOf } from './sink-types.js';

/** The sink that an entry describes; undefined if the entry is wrong, which is noted with its path. */
export function madeSink(
  settings: ConfigSettings,
  entry: SinkEntry,
  mistakes: Mistakes,
): SinkSpec | undefined {
  if (!entry.isSound) return undefined;
  const isBuiltIn = builtInType(entry.type) !== undefined;
  const where = isBuiltIn ? entry.location : `${entry.location}.options`;
  try {
    return sinkOf(settings, entry);
  } catch (error) {
    if (error instanceof WrongOptions) {
      for (const mistake of error.mistakes) mistakes.add('', mistake);
    } else if (error instanceof OptionsError) {
      for (const mistake of error.mistakes) mistakes.add('', `${where}.${mistake}`);
    } else {
      mistakes.add(entry.location, textInPath(error));
    }
    return undefined;
  }
}
