import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { OpenApiDocument } from './document.js';
import { mergeDocuments } from './merge-documents.js';

const operation = { operationId: 'list', tags: ['A'], responses: { '200': { description: 'OK' } } };
const first: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  tags: [{ name: 'A', description: 'ours' }],
  paths: { '/a': { get: operation } },
  components: {
    schemas: { Thing: { type: 'string' }, Same: { type: 'boolean' } },
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  },
};
const thing = { $ref: '#/components/schemas/Thing' };
const other = {
  openapi: '3.0.0',
  info: { title: 'Controllers', version: '1' },
  tags: [{ name: 'A' }, { name: 'B' }],
  security: [{ bearer: [] }],
  paths: {
    '/a': {
      get: { ...operation, summary: 'theirs' },
      post: {
        operationId: 'list',
        responses: {
          '200': { description: 'OK', content: { 'application/json': { schema: thing } } },
        },
      },
    },
    '/b': { get: { operationId: 'b', security: [], responses: { default: { description: '' } } } },
  },
  components: {
    schemas: {
      Same: { type: 'boolean' },
      Thing: {
        type: 'object',
        properties: {
          count: { type: 'integer', minimum: 0, exclusiveMinimum: true, nullable: true },
          thing: { allOf: [thing], nullable: true },
        },
      },
    },
    securitySchemes: { bearer: { type: 'apiKey', in: 'header', name: 'x-key' } },
  },
};
const merged = mergeDocuments(first, other);

describe('merged documents', () => {
  it('are a document by the OpenAPI 3.1 schema', async () => {
    const copy = JSON.parse(JSON.stringify(merged)) as Record<string, unknown>;
    expect(await new Validator().validate(copy)).toEqual({ valid: true });
  });

  it('have the paths of both, and of what is in both the first', () => {
    expect(Object.keys(merged.paths)).toEqual(['/a', '/b']);
    expect(merged.paths['/a']?.['get']).toEqual(operation);
    expect(merged.info.title).toBe('Shop');
    expect(merged.tags).toEqual([{ name: 'A', description: 'ours' }, { name: 'B' }]);
  });

  it('number what has one name for two things, wherever it is named', () => {
    const post = merged.paths['/a']?.['post'];
    expect(post).toMatchObject({ operationId: 'list_2', security: [{ bearer_2: [] }] });
    expect(JSON.stringify(post)).toContain('#/components/schemas/Thing_2');
    expect(Object.keys(merged.components.schemas)).toEqual(['Thing', 'Same', 'Thing_2']);
    expect(Object.keys(merged.components.securitySchemes ?? {})).toEqual(['bearer', 'bearer_2']);
  });

  it.each([
    ['bearer', { scheme: 'bearer', bearerFormat: 'JWT', type: 'http' }],
    ['access-token', { type: 'http', scheme: 'bearer', description: 'A token' }],
  ])('ask for one token where both name it: %s', (name, scheme) => {
    const both = mergeDocuments(first, {
      openapi: '3.0.0',
      paths: { '/c': { get: { operationId: 'c', security: [{ [name]: [] }], responses: {} } } },
      components: { securitySchemes: { [name]: scheme } },
    });
    expect(both.components.securitySchemes).toEqual(first.components.securitySchemes);
    expect(both.paths['/c']?.['get']?.security).toEqual([{ bearer: [] }]);
  });

  it('say in the words of 3.1 what was said in those of 3.0', () => {
    expect(merged.components.schemas['Thing_2']?.['properties']).toEqual({
      count: { type: ['integer', 'null'], exclusiveMinimum: 0 },
      thing: {
        anyOf: [{ allOf: [{ $ref: '#/components/schemas/Thing_2' }] }, { type: 'null' }],
      },
    });
  });

  it('keep what an operation says of its own security', () => {
    expect(merged.paths['/b']?.['get']?.security).toEqual([]);
  });

  it('leave both as they were', () => {
    expect(first.paths['/a']).toEqual({ get: operation });
    expect(other.paths['/b'].get.security).toEqual([]);
  });
});
