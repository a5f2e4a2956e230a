import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { setting } from '../settings.js';

/** What opens the office: OFFICE_PASSWORD, or a password made at each start where it is empty. */
@Injectable()
export class OfficeKey {
  readonly user = 'office';
  readonly password: string;
  /** `user:password` to print; a password that somebody chose is not printed. */
  readonly shown: string;

  constructor() {
    const chosen = setting('OFFICE_PASSWORD');
    this.password = chosen ?? randomBytes(9).toString('base64url');
    this.shown = `${this.user}:${chosen === undefined ? this.password : '$OFFICE_PASSWORD'}`;
  }

  get authorization(): string {
    return `Basic ${Buffer.from(`${this.user}:${this.password}`).toString('base64')}`;
  }
}
