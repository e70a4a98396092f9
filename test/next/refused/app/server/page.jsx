'use client';
import { createWidgetSigner } from '@partner-ramp/react/server';

export default function Page() {
  return <p>{typeof createWidgetSigner}</p>;
}
