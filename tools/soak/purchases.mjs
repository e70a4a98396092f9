import { buildWidgetUrl } from '@partner-ramp/react/protocol';

/** Opens the signed checkout in the hosted widget and pays, with the requests that the widget's page would send. */
export async function buy(widgetUrl, { params }, email) {
  const page = await fetch(buildWidgetUrl(widgetUrl, params));
  const data = /<script type="application\/json" id="page-data">(.*?)<\/script>/.exec(
    await page.text(),
  )?.[1];
  if (!data) throw new Error(`The widget refused the checkout with ${page.status}.`);
  const { session, widget } = JSON.parse(data);
  const post = async (path, body) => {
    const response = await fetch(`${widgetUrl}/home/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ session, fiatCurrency: 'USD', ...body }),
    });
    if (response.ok) return response.json();
    throw new Error(`The widget refused ${path} with ${response.status}.`);
  };
  if (widget === 'on-ramp')
    return post('orders', { currencyAmount: '100', cryptoCurrencyCode: 'USDT_ERC20', email });
  await post('quote', {});
  return post('orders', { email });
}

const editions = ['print-0386', 'print-1093', 'print-1378'];

/** Returns what a page proposes to buy: an NFT mint if `count` is a multiple of three, otherwise crypto. */
export function proposal(count) {
  if (count % 3 > 0) return { widget: 'on-ramp', params: {} };
  const merchantUniqueId = editions[(count / 3) % editions.length];
  return { widget: 'nft', params: { type: 'MINT', merchantUniqueId, mintQuantity: '1' } };
}
