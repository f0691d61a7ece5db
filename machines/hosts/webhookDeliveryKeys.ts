/** The stream with a delivery's body, in pieces. */
export function webhookBodyStream(webhookDeliveryId: string): string {
  return `webhook/${webhookDeliveryId}`
}
