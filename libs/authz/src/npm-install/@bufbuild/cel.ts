/** Why: docs/decisions/0240 */
export { parse } from '@bufbuild/cel';
