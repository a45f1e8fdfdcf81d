"""What a compile is given: environment, facts, classifier, exported resources of others."""
