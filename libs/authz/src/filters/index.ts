export { mayList } from '../cel/filter/list-filter.js';
export { toSql } from './to-sql.js';
export type { SqlFilter, SqlFilterOptions } from './to-sql.js';
export { toSqlTemplate } from './sql-template.js';
export type { SqlTag } from './sql-template.js';
export { prismaWhere } from './prisma.js';
export type { PrismaWhere } from './prisma.js';
export { typeormFind, typeormWhere } from './typeorm.js';
export type { RawOperator, TypeormFilter } from './typeorm.js';
export { describeFilter } from '../cel/filter/describe-filter.js';
export type { ListFilter } from '../cel/filter/list-filter.js';
export type {
  FieldTest,
  FilterOperator,
  RecordField,
  RecordFilter,
} from '../cel/filter/record-filter.js';
export type { CelType } from '../cel/cel-type.js';
