import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { isForTrying, setting } from '../settings.js';
import { keptSecret } from '../store/kept-secret.js';

/**
 * What opens the office: OFFICE_PASSWORD, or where that is empty a password that is made once and kept in
 * DATA_DIR. Except in Development and Test it is OFFICE_PASSWORD or nothing: without it the office is closed.
 */
@Injectable()
export class OfficeKey {
  readonly user = 'office';
  /** Undefined: the office is closed. */
  readonly password: string | undefined;
  /** `user:password` to print; a password that the operator chose is not printed. */
  readonly shown: string;

  constructor() {
    const chosen = setting('OFFICE_PASSWORD');
    this.password = chosen ?? (isForTrying() ? madePassword() : undefined);
    this.shown = `${this.user}:${chosen === undefined ? this.password : '$OFFICE_PASSWORD'}`;
  }

  /** The header of a caller that knows it. */
  get authorization(): string | undefined {
    if (this.password === undefined) return undefined;
    return `Basic ${Buffer.from(`${this.user}:${this.password}`).toString('base64')}`;
  }
}

function madePassword(): string {
  const text = keptSecret('office-password', () => randomBytes(9).toString('base64url'));
  return text.trim();
}
