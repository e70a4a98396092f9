import * as z from 'zod/mini';

/** What the published document says about a schema. A schema with an `id` becomes one of its named schemas. */
interface Description {
  readonly description: string;
  readonly id?: string;
  /** Set for a text value that itself contains JSON. */
  readonly contentMediaType?: string;
  readonly contentSchema?: { readonly $ref: string };
}

/** The descriptions of the contract's schemas. */
export const descriptions = z.registry<Description>();

/**
 * Describes a schema, and returns it. Create a new schema for each field, because a schema can have only one
 * description.
 */
export function describe<Schema extends z.core.$ZodType>(
  description: string,
  schema: Schema,
): Schema {
  descriptions.add(schema, { description });
  return schema;
}

/** Describes a schema, and names it in the published document. */
export function name<Schema extends z.core.$ZodType>(
  id: string,
  description: string,
  schema: Schema,
): Schema {
  descriptions.add(schema, { description, id });
  return schema;
}

export const text = (description: string) => describe(description, z.string());

export const flag = (description: string) => describe(description, z.boolean());

/** An amount with every digit that the service sent. */
export const amount = (description: string) =>
  describe(`${description} A decimal string.`, z.string().check(z.regex(/^-?\d+(\.\d+)?$/)));

export const time = (description: string) =>
  describe(`${description} Unix seconds.`, z.int().check(z.minimum(0)));

export const count = (description: string) => describe(description, z.int().check(z.minimum(0)));
