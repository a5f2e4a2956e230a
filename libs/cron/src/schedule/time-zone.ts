import { shownValue } from '@apix/contracts';
import { type Option, parsedOption } from '@apix/contracts/internal';
import { ZoneOffsets } from './zone-offsets.js';

/** The name of a time zone, as IANA has it. */
export const TIME_ZONE: Option<string> = parsedOption(
  (value) => {
    zoneOf(value as string);
    return value as string;
  },
  { type: 'string' },
);

/** Default: the host's local zone. @throws RangeError for a name that is not a time zone. */
export function zoneOf(
  timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone,
): ZoneOffsets {
  try {
    return ZoneOffsets.of(timeZone);
  } catch (error) {
    throw new RangeError(
      `${shownValue(timeZone)} is not a time zone; use an IANA name such as "Europe/Berlin"`,
      { cause: error },
    );
  }
}
