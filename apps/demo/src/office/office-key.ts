import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';

/** What opens the office: OFFICE_PASSWORD, or a password made at each start. */
@Injectable()
export class OfficeKey {
  readonly user = 'office';
  readonly password = process.env['OFFICE_PASSWORD'] ?? randomBytes(9).toString('base64url');

  get authorization(): string {
    return `Basic ${Buffer.from(`${this.user}:${this.password}`).toString('base64')}`;
  }
}
