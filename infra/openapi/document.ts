import type * as z from 'zod/mini';

/** A JSON Schema (draft 2020-12), the form schemas have in OpenAPI 3.1. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A pointer to a component. */
export interface Reference {
  readonly $ref: `#/components/${string}`;
}

export interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  /** Form of a list: its values in one parameter, separated by commas. */
  readonly style?: 'form';
  readonly explode?: false;
  readonly schema: JsonSchema;
}

export interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Reference>>;
  /** Media types of the parts of a form. */
  readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>;
}

export interface RequestBody {
  readonly required: boolean;
  readonly content: {
    readonly 'application/json'?: MediaType;
    readonly 'multipart/form-data'?: MediaType;
    readonly 'application/x-www-form-urlencoded'?: MediaType;
  };
}

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content: { readonly 'application/json': MediaType; readonly 'text/csv'?: MediaType };
}

/** Names of security schemes that must be satisfied together; a list of these is a list of alternatives. */
type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: true;
  readonly security?: readonly SecurityRequirement[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export interface Tag {
  readonly name: string;
  readonly description: string;
}
