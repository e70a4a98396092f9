import * as z from 'zod/mini';
import { selectionRules } from '../protocol/handler/parseSelection.js';
import type { CheckoutSelection } from '../protocol/handler/selection.js';
import { MAX_SIGNED_LENGTH, valueFormats } from '../protocol/widget/valueFormats.js';
import {
  getWidgetParameters,
  type ParameterName,
  type Widget,
  type WidgetParameter,
} from '../protocol/widget/widgetParameters.js';
import { describe, name } from './describe.js';

/**
 * The characters that a signed value may contain: printable ASCII except `AMBIGUOUS_CHARACTERS`. A `pattern` in JSON
 * Schema cannot say "none of these", so this is the complement.
 */
export const SIGNED_CHARACTERS = /^[!"$'-*,-<>@-~]*$/;

type Row = Pick<WidgetParameter, 'name' | 'format' | 'signed' | 'description'>;

const isSignedPlain = ({ name, signed }: Row) => signed === 'premium' && name !== 'ext';

/** Returns the schema of one value. Even signed free text, except `ext`, is limited to `SIGNED_CHARACTERS`. */
function createValueSchema(row: Row): z.ZodMiniString {
  const { pattern } = valueFormats[row.format];
  const isText = row.format === 'text';
  const schema = z
    .string()
    .check(
      ...(isSignedPlain(row) ? [z.maxLength(MAX_SIGNED_LENGTH)] : []),
      ...(isText ? [] : [z.regex(pattern)]),
      ...(isText && isSignedPlain(row) ? [z.regex(SIGNED_CHARACTERS)] : []),
    );
  return describe(row.description, schema);
}

type OptionalText = z.ZodMiniExactOptional<z.ZodMiniString>;

/** Parameters that the handler or its signer sets, so that a page cannot propose them. */
const isSetByBackend = ({ name, managed }: WidgetParameter) =>
  managed || name === 'ext' || name === 'partnerId';

/** Creates the schema of a proposal. Its names come from a table, so only the cast tells TypeScript which they are. */
const createProposal = <W extends Widget>(widget: W) =>
  z.object(
    Object.fromEntries(
      getWidgetParameters(widget)
        .filter((row) => !isSetByBackend(row))
        .map((row) => [row.name, z.exactOptional(createValueSchema(row))]),
    ) as Record<ParameterName<W>, OptionalText>,
  );

export const onRampProposalSchema = name(
  'OnRampProposal',
  'The parameters of the on-ramp widget that a page proposes. Each is optional, because your policy decides. Other names are refused; `""` and `null` count as absent.',
  createProposal('on-ramp'),
);

export const nftProposalSchema = name(
  'NftProposal',
  'The parameters of NFT checkout that a page proposes. Each is optional, because your policy decides. Other names are refused; `""` and `null` count as absent.',
  createProposal('nft'),
);

/**
 * Returns the shape of signed parameters. The type declares every field as text, because none is ever `undefined`.
 *
 * @param required - The values of `required` in the table that make a parameter always present.
 */
const createSigned = (widget: Widget, required: readonly WidgetParameter['required'][]) =>
  Object.fromEntries(
    getWidgetParameters(widget).map((row) => {
      const isRequired = row.name === 'ext' || (required.includes(row.required) && !row.mayBeEmpty);
      const schema = createValueSchema(row);
      return [row.name, isRequired ? schema : z.exactOptional(schema)];
    }),
  ) as Record<string, z.ZodMiniString>;

const extra = () =>
  describe('An extra parameter of your service, which the policy granted.', z.string());

const onRampSignedSchema = name(
  'OnRampSignedParams',
  'The signed parameters of the on-ramp widget, and `signature`. Every value is plain: the page percent-encodes each once.',
  z.catchall(z.object(createSigned('on-ramp', ['premium', 'always'])), extra()),
);

const createNft = (type: 'MARKET' | 'MINT') =>
  z.catchall(
    z.object({
      ...createSigned('nft', ['premium', 'always', type]),
      type: describe('Whether an existing NFT is sold or a new one is made.', z.literal(type)),
    }),
    extra(),
  );

const marketSignedSchema = name(
  'MarketSignedParams',
  'The signed parameters that sell an existing NFT, and `signature`.',
  createNft('MARKET'),
);

const mintSignedSchema = name(
  'MintSignedParams',
  'The signed parameters that mint a new NFT, and `signature`.',
  createNft('MINT'),
);

const nftSignedSchema = name(
  'NftSignedParams',
  'The signed parameters of NFT checkout, in one of two forms that `type` tells apart.',
  z.discriminatedUnion('type', [marketSignedSchema, mintSignedSchema]),
);

export const signedParamsSchema = describe(
  'Every signed parameter and `signature`. The page adds the unsigned parameters and builds the URL of the widget.',
  z.union([nftSignedSchema, onRampSignedSchema]),
);

const onRampDescriptions = new Map(
  getWidgetParameters('on-ramp').map(({ name, description }) => [name, description]),
);

export const selectionSchema = name(
  'CheckoutSelection',
  'What the shopper has selected on the page. It is not signed, so it is only a hint. For an NFT it contains at most `fiatCurrency` and `defaultFiatCurrency`. Other names are ignored, and `""` and `null` count as absent.',
  z.object(
    Object.fromEntries(
      selectionRules['on-ramp'].map((rule) => {
        const schema = z.string().check(z.regex(rule.pattern), z.maxLength(rule.maxLength));
        const description = onRampDescriptions.get(rule.name) ?? rule.words;
        return [rule.name, z.exactOptional(describe(description, schema))];
      }),
    ) as Record<keyof CheckoutSelection, OptionalText>,
  ),
);
