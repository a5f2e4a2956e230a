/** Why: docs/decisions/0240 */
export { default as ts } from 'typescript';
