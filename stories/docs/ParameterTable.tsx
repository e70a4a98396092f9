import {
  getWidgetParameters,
  type Widget,
  type WidgetParameter,
} from '../../src/protocol/index.js';
import { valueFormats } from '../../src/protocol/widget/valueFormats.js';

const required: Readonly<Record<WidgetParameter['required'], string>> = {
  never: '',
  premium: 'Premium',
  always: 'yes',
  MARKET: 'for MARKET',
  MINT: 'for MINT',
};

/** A widget's parameters as the protocol has them. */
export function ParameterTable({ widget }: { readonly widget: Widget }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Parameter</th>
          <th scope="col">Required</th>
          <th scope="col">Signed</th>
          <th scope="col">Value</th>
          <th scope="col">What it does</th>
        </tr>
      </thead>
      <tbody>
        {getWidgetParameters(widget).map((row) => (
          <tr key={row.name}>
            <th scope="row" style={{ textAlign: 'start' }}>
              <code>{row.name}</code>
            </th>
            <td>{required[row.required]}</td>
            <td>{row.signed === 'premium' ? 'yes' : row.signed === 'result' && 'the result'}</td>
            <td>{valueFormats[row.format].words}</td>
            <td>
              {row.description} {row.default && `Default: ${row.default}.`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
