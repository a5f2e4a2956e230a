import { crossSite, sameSite, untypedBody } from '../attacks/cross-site.js';
import { forgedLines, hugeHeader } from '../attacks/forged-lines.js';
import { otherNames, reservedNames, reservedRpcNames } from '../attacks/header-names.js';
import { memberNames } from '../attacks/member-names.js';
import { pagesOfTheHost } from '../attacks/pages.js';
import { requestIds } from '../attacks/request-ids.js';
import { smuggling } from '../attacks/smuggling.js';
import { absoluteTarget, methodOverride, unknownPath } from '../attacks/targets.js';
import { foreignPage } from '../attacks/web-socket-frames.js';
import type { Row } from '../row.js';
import { CONNECT, HTTP, REST, SOCKETS, TOOLS, WEB } from './doors.js';

/** What pages, proxies and other HTTP clients send. */
export const pages: readonly Row[] = [
  {
    name: 'requests of a foreign page with a cookie are refused',
    doors: REST,
    attack: crossSite,
    comes: /^refused$/,
  },
  {
    name: 'requests of the own page and of no page are taken',
    doors: REST,
    attack: sameSite,
    comes: /^200 logged 200$/,
    enters: true,
  },
  {
    name: 'a body without a type is refused',
    doors: [...REST, ...TOOLS],
    attack: untypedBody,
    comes: /^415 logged 415$/,
  },
  { name: 'a foreign page is refused', doors: SOCKETS, attack: foreignPage, comes: /^403$/ },
  {
    name: 'pages of the host answer strangers as documented',
    doors: ['HTTP controller'],
    attack: pagesOfTheHost,
    comes: /^as documented$/,
  },
  {
    name: 'unknown paths below the mount path can be read by pages',
    doors: REST,
    attack: unknownPath,
    comes: /^404 CORS \*$/,
  },
  {
    name: 'an absolute target is routed by its path, and authorized',
    doors: [...HTTP, ...CONNECT, ...TOOLS],
    attack: absoluteTarget,
    comes: /^200 logged 200; anonymous 401 logged 401$/,
  },
  {
    name: 'a POST stays one',
    doors: REST,
    attack: methodOverride,
    comes: /^405 logged 405$/,
  },
  {
    name: 'metadata by which proxies say who calls is refused',
    doors: REST,
    attack: reservedNames,
    comes: /^refused$/,
  },
  {
    name: 'headers that are not forwarded do not arrive',
    doors: REST,
    attack: otherNames,
    comes: /^the same$/,
  },
  {
    name: 'names by which proxies say who calls do not arrive as metadata',
    doors: [...CONNECT, ...WEB, ...TOOLS],
    attack: reservedRpcNames,
    comes: /^none arrives$/,
  },
  {
    name: 'names of the prototype are data, or refused',
    doors: [...HTTP, ...CONNECT, ...WEB, ...TOOLS, 'messages'],
    attack: memberNames,
    comes: /^answered$/,
  },
  {
    name: 'requests with two ends are refused, and end the connection',
    doors: [...HTTP, ...CONNECT, ...WEB, ...TOOLS],
    attack: smuggling,
    comes: /^refused$/,
  },
  {
    name: 'text of a caller is one event a request',
    doors: [...HTTP, ...CONNECT, ...WEB, ...TOOLS],
    attack: forgedLines,
    comes: /^one event$/,
  },
  {
    name: 'a header of 1 MiB ends the connection',
    doors: HTTP,
    attack: hugeHeader,
    comes: /^(431|no answer), closed$/,
  },
  {
    name: 'an answer and its event have one id',
    doors: ['gRPC', 'gRPC on the shared port', ...HTTP, ...CONNECT, ...WEB, ...TOOLS],
    attack: requestIds,
    comes: /^one id$/,
  },
];
