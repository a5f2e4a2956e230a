import { knock, oneOf } from '../knock.js';
import type { Attack } from '../row.js';

/** Comes with a token for which the app's subject function is faulty. */
export const faultySubject =
  (token: string): Attack =>
  (site, door) =>
    knock(site, door, 'vault', { authorization: `Bearer ${token}` });

export const anonymous: Attack = async (site, door) =>
  oneOf([await knock(site, door, 'vault'), await knock(site, door, 'vault')]);

export const stranger: Attack = (site, door) =>
  knock(site, door, 'vault', { authorization: 'Bearer guest' });

export const keeper: Attack = (site, door) =>
  knock(site, door, 'vault', { authorization: 'Bearer keeper' });
