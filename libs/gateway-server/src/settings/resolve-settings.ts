import { type Mistakes, shownValue } from '@apix/contracts';
import { choice, DURATION, FLAG, TEXT, wholeNumber } from '@apix/contracts/internal';
import type { GatewaySetting } from './setting.js';
import {
  type Given,
  type GivenSettings,
  SETTINGS,
  type SettingName,
  type GatewaySettings,
} from './setting-table.js';

/**
 * Combines the given settings and checks that each value is of its kind. The command line has precedence over
 * the file. Mistakes are noted with their place.
 */
export function resolveSettings(
  args: GivenSettings,
  file: GivenSettings,
  mistakes: Mistakes,
): GatewaySettings {
  const entries = Object.entries(SETTINGS).map(([name, setting]) => [
    name,
    valueOf(setting, args.get(name as SettingName) ?? file.get(name as SettingName), mistakes),
  ]);
  return Object.fromEntries(entries) as GatewaySettings;
}

function valueOf(setting: GatewaySetting, given: Given | undefined, mistakes: Mistakes): unknown {
  const { value, place } = given ?? { value: undefined, place: '' };
  if (value === undefined || value === null) return emptyOf(setting);
  switch (setting.kind) {
    case 'text':
      return TEXT.read(numberAsText(value), place, mistakes) ?? '';
    case 'path':
      if (value === false) return undefined;
      return value === true ? setting.standard : (TEXT.read(value, place, mistakes) ?? '');
    case 'texts':
      return textsOf(place, value, mistakes);
    case 'flag':
      return FLAG.read(value, place, mistakes) ?? false;
    case 'choice':
      return choice(setting.choices).read(value, place, mistakes) ?? setting.choices[0];
    case 'choices':
      return choicesOf(setting.choices, place, value, mistakes);
    case 'count':
      return wholeNumber(setting).read(digitsOf(value), place, mistakes) ?? setting.min;
    case 'duration':
      DURATION.read(value, place, mistakes);
      return value;
  }
}

function emptyOf({ kind }: GatewaySetting): unknown {
  if (kind === 'texts' || kind === 'choices') return [];
  return kind === 'flag' ? false : undefined;
}

/** A port, for example, is a number in YAML. */
function numberAsText(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}

function textsOf(place: string, value: unknown, mistakes: Mistakes): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((item) => TEXT.read(numberAsText(item), place, mistakes) ?? '');
}

/** A list, or names with commas between them, as the command line has them. */
function choicesOf(
  choices: readonly [string, ...string[]],
  place: string,
  value: unknown,
  mistakes: Mistakes,
): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list
    .flatMap((item: unknown) => (typeof item === 'string' ? item.split(/ *, */) : [item]))
    .map((item) => choice(choices).read(item, place, mistakes) ?? choices[0]);
}

/** All values of the command line are strings. */
function digitsOf(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

/** A port, with or without a host: `8080`, `127.0.0.1:8080`, `[::1]:8080`. */
export interface ListenAddress {
  readonly host: string | undefined;
  readonly port: number;
}

/** Reads an address to listen on; anything else is noted as a mistake. */
export function listenAddress(where: string, text: string, mistakes: Mistakes): ListenAddress {
  const { groups } = /^(?:(?<host>[^:\s]+|\[[\da-f:.]+\]):)?(?<port>\d{1,5})$/i.exec(text) ?? {};
  const port = Number(groups?.['port']);
  if (groups === undefined || port > 65_535) {
    mistakes.add(where, `${shownValue(text)} is not a port or host:port, such as 127.0.0.1:8080`);
    return { host: undefined, port: 0 };
  }
  return { host: groups['host']?.replace(/^\[|\]$/g, ''), port };
}
