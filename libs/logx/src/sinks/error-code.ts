import { thrownText } from '@apix/contracts';
import { safely } from '../value/safely.js';

/** The system's error code, or the message of an error without one. */
export function errorCode(error: unknown): string {
  const code: unknown = safely(
    () => (error as { code?: unknown } | null | undefined)?.code,
    () => undefined,
  );
  return typeof code === 'string' ? code : thrownText(error);
}
