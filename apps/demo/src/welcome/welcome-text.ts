import { type Example, type ShopAddress, threeCallers, WHY_DENIED } from './examples.js';

/** Where the shop is, and the tokens to try it with. */
export interface Invitation extends ShopAddress {
  /** Of the second process. */
  readonly payments: string;
  readonly plain: string;
  readonly admin: string;
  /** `user:password` of the host page; a password that the operator chose is not shown. */
  readonly office: string;
}

/**
 * Ready-made lines for a shell: one policy, three callers, over REST and gRPC, and last the addresses. They work at any
 * later start too.
 */
export function welcomeText(invitation: Invitation): string {
  const { http, grpc, payments, plain, admin, office } = invitation;
  return `
Tokens of two callers, ada a customer and grace an admin; paste them into another terminal, in this folder:
  ADA=${plain}
  GRACE=${admin}
${threeCallers(invitation).map(paragraph).join('')}
${WHY_DENIED}

\`npm run demo:tour\` tries everything by itself. Ctrl-C stops the shop, in order.

The shop is open. More lines to try are on its first page:
  REST      ${http}
  gRPC      ${grpc}
  docs      ${http}/docs
  host      ${http.replace('://', `://${office}@`)}/host
  tools     ${http}/mcp
  payments  ${payments}
`;
}

function paragraph({ title, lines }: Example): string {
  const rows = lines.map(({ who, status, command }) => {
    return `  ${`${who} (${status}):`.padEnd(ROOM)} ${command}`;
  });
  return `\n${title}:\n${rows.join('\n')}\n`;
}

const ROOM = 'nobody (UNAUTHENTICATED):'.length;
