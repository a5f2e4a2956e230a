declare module '@elastic/ecs' {
  /** What the package says of a field. */
  export interface EcsField {
    readonly flat_name: string;
    readonly type: string;
  }
  /** Such as `8.11.0`. */
  export const EcsVersion: string;
  /** Every field by its name with dots. */
  export const EcsFlat: Readonly<Record<string, EcsField>>;
}
