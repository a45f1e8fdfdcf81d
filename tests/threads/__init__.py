"""What users of Puppet suffered from, rebuilt: small programs and what the lint has to say."""
