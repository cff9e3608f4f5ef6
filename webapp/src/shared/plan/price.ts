/** Formats an amount in the currency's smallest unit: 399 is `$3.99`. */
export function priceText(amount: number, currency = 'usd'): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() });
  // Cents are hundredths; a yen has none.
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** The lowest price of Pro, as advertised. */
export function fromPriceText({
  price,
  currency,
  months,
}: {
  price: number;
  currency: string;
  months: number;
}): string {
  const amount = priceText(price, currency);
  return months === 1 ? `from ${amount}/month` : `from ${amount} for ${months} months`;
}
