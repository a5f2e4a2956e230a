import { altNames, makeAuthority } from '../../libs/authz/src/certificates.fixture.js';

export const authority = makeAuthority();
const stranger = makeAuthority();

/** Who comes with certificates. Units are roles, so that only the first is a keeper. */
export const HOLDERS = {
  keeper: authority.client('CN=ada', 'OU=keeper'),
  guest: authority.client('CN=ada', 'OU=guest'),
  'signed by another': stranger.client('CN=ada', 'OU=keeper'),
  'a line end in a unit': authority.client('CN=ada', 'OU=guest\nOU=keeper'),
  'a line end in its name': authority.client('CN=ada\nOU=keeper'),
  'a NUL in a unit': authority.client('CN=ada', 'OU=keeper\0.example'),
  'an empty unit': authority.client('CN=ada', 'OU=keeper', 'OU='),
  'a comma in a unit': authority.client('CN=ada', 'OU=guest, OU=keeper'),
  'a unit in UTF-16': authority.client('CN=ada', ['OU', 0x1e, '\0k\0e\0e\0p\0e\0r']),
  'a unit in T.61': authority.client('CN=ada', ['OU', 0x14, 'keeper']),
  'two names': authority.client('CN=ada', 'CN=eve', 'OU=keeper'),
  'a unit as an alternative name': authority.holder(['CN=ada'], altNames(['DNS', 'OU=keeper'])),
  'a role as a SPIFFE ID': authority.holder(['CN=ada'], altNames(['URI', 'spiffe://a/keeper'])),
} as const;
