import { callbackify } from 'node:util';
import { drizzle } from 'drizzle-orm/pglite';
import { sql as drizzleSql } from 'drizzle-orm';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { Kysely, PostgresDialect, sql as kyselySql } from 'kysely';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { DataSource, EntitySchema, Raw } from 'typeorm';
import { prismaWhere } from '../../libs/authz/src/filters/prisma.js';
import { toSqlTemplate } from '../../libs/authz/src/filters/sql-template.js';
import { typeormFind, typeormWhere } from '../../libs/authz/src/filters/typeorm.js';
import { PrismaClient } from './node_modules/.cache/prisma/client.js';

/** How each library lists the ids of the records that a filter lets through, as an app would write it. */
export async function openLibraries(database, names) {
  const columns = Object.entries(names);
  return {
    Drizzle: drizzleList(database, columns),
    Kysely: kyselyList(database, columns),
    Prisma: prismaList(database, columns),
    ...(await typeormLists(database, columns)),
  };
}

function drizzleList(database, columns) {
  // The type of a column does not matter to a condition.
  const made = columns.map(([, name]) => [name, text(name)]);
  const records = pgTable('records', { id: integer('id'), ...Object.fromEntries(made) });
  const byPath = Object.fromEntries(columns.map(([path, name]) => [path, records[name]]));
  const db = drizzle(database);
  return async (filter) => {
    const rows = await db
      .select({ id: records.id })
      .from(records)
      .where(toSqlTemplate(drizzleSql, filter, byPath))
      .orderBy(records.id);
    return rows.map(({ id }) => id);
  };
}

function kyselyList(database, columns) {
  const client = { query: (text, values) => database.query(text, values), release: () => {} };
  const pool = { connect: async () => client, end: async () => {} };
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  return async (filter) => {
    const rows = await db
      .selectFrom('records')
      .select('id')
      .where((eb) => {
        const byPath = columns.map(([path, name]) => [path, eb.ref(`records.${name}`)]);
        return toSqlTemplate(kyselySql, filter, Object.fromEntries(byPath));
      })
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  };
}

/** What Prisma cannot say; every other condition must list what it allows. */
export const INEXPRESSIBLE = /which prismaWhere cannot express/;

function prismaList(database, columns) {
  const db = new PrismaClient({ adapter: new PrismaPGlite(database) });
  const properties = columns.map(([path, name]) => [path, `${name}?`]);
  const byPath = Object.fromEntries(properties);
  return async (filter) => {
    const where = { AND: [{ id: { gte: 0 } }, prismaWhere(filter, byPath)] };
    const rows = await db.row.findMany({ select: { id: true }, where, orderBy: { id: 'asc' } });
    return rows.map(({ id }) => id);
  };
}

async function typeormLists(database, columns) {
  const property = (name) => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
  const made = columns.map(([, name]) => [property(name), { name, type: 'text' }]);
  const entity = new EntitySchema({
    name: 'RecordRow',
    tableName: 'records',
    columns: { id: { type: Number, primary: true }, ...Object.fromEntries(made) },
  });
  const source = new DataSource({
    type: 'postgres',
    driver: pgOf(database),
    entities: [entity],
    database: 'records',
    installExtensions: false,
  });
  await source.initialize();
  const repository = source.getRepository(entity);
  const properties = columns.map(([path, name]) => [path, property(name)]);
  const byProperty = Object.fromEntries(properties);
  const ofAlias = Object.fromEntries(properties.map(([path, name]) => [path, `r.${name}`]));
  const found = (rows) => rows.map(({ id }) => id);
  return {
    'TypeORM find': async (filter) =>
      found(
        await repository.find({
          select: { id: true },
          where: { id: typeormFind(Raw, filter, byProperty) },
          order: { id: 'ASC' },
        }),
      ),
    'TypeORM query builder': async (filter) => {
      const where = typeormWhere(filter, ofAlias);
      const query = repository.createQueryBuilder('r').select('r.id').orderBy('r.id');
      return found(await query.where('1 = 1').andWhere(where.text, where.parameters).getMany());
    },
  };
}

/** The part of `pg` that TypeORM uses, over the embedded PostgreSQL. */
function pgOf(database) {
  const answer = async (text, values) => {
    const { rows, affectedRows } = await database.query(text, values);
    return { rows, rowCount: affectedRows ?? rows.length, command: text.trim().split(/\s/, 1)[0] };
  };
  class Connection {
    query(text, values, callback = values) {
      const asked = answer(text, Array.isArray(values) ? values : []);
      if (typeof callback !== 'function') return asked;
      callbackify(() => asked)(callback);
      return undefined;
    }
    on() {}
    removeListener() {}
  }
  class Pool {
    connect(callback) {
      callback(null, new Connection(), () => {});
    }
    on() {}
    end(callback) {
      callback();
    }
  }
  return { Pool };
}
